USE shop;
ADD JAR ${JAR};
CREATE TEMPORARY FUNCTION reversed AS 'HiveReversed';
-- insert into dynamic partitions of ORC
INSERT OVERWRITE TABLE sales PARTITION (store) SELECT sold, item, customer, quantity, price, store FROM sales_text;
SHOW PARTITIONS sales;
-- rank of brands, with a function of ADD JAR
SELECT year, category, reversed(brand), amount, rank() OVER (PARTITION BY year, category ORDER BY amount DESC) FROM (
  SELECT d.year, i.category, i.brand, sum(s.price) amount
    FROM sales s JOIN item i ON s.item = i.id JOIN dates d ON s.sold = d.id
    WHERE d.month = 11 GROUP BY d.year, i.category, i.brand) sums;
-- fails in a task
SELECT assert_true(price < 100), count(*) FROM sales GROUP BY price;
