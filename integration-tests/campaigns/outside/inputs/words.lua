local count = {}
for w in ("the quick brown fox jumps over the lazy dog"):gmatch("%a+") do count[w] = (count[w] or 0) + 1 end
local keys = {}
for k in pairs(count) do keys[#keys + 1] = k end
table.sort(keys)
for _, k in ipairs(keys) do print(k, count[k]) end
print(string.seen)
string.seen = true
local co = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
print(co(), co(), co(), co())
print(setmetatable({}, { __tostring = function() return "meta" end }))
print(pcall(error, "raised"))
error("uncaught")
