declare namespace c = "urn:cities";
for $city in doc("cities.xml")//c:city
let $people := xs:integer($city/c:people)
group by $size := string($city/@size)
order by $size
return <group size="{$size}" sum="{sum($people)}">{for $n in $city/c:name return upper-case($n)}</group>
