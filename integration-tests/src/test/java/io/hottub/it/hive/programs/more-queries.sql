-- create a table of the best
DROP TABLE IF EXISTS best;
CREATE TABLE best STORED AS ORC AS
  SELECT item, sum(quantity * price) amount FROM sales GROUP BY item ORDER BY amount DESC, item LIMIT 20;
-- distinct customers of two partitions
SELECT c.state, i.category, count(DISTINCT s.customer) FROM sales s JOIN item i ON s.item = i.id
  JOIN customer c ON s.customer = c.id JOIN dates d ON s.sold = d.id
  WHERE d.year = 2001 AND s.store IN (1, 2) GROUP BY c.state, i.category;
-- share of a brand in a window
SELECT i.category, i.brand, round(sum(s.price) * 100 / sum(sum(s.price)) OVER (PARTITION BY i.category), 2)
  FROM sales s JOIN item i ON s.item = i.id WHERE i.id <= 40 GROUP BY i.category, i.brand;
-- customers by two subqueries
SELECT count(*) FROM customer c WHERE EXISTS (SELECT 1 FROM sales s WHERE s.customer = c.id AND s.price > 99)
  AND c.id NOT IN (SELECT customer FROM sales WHERE quantity = 1 AND store = 0);
-- rollup by category and year
SELECT i.category, d.year, sum(s.quantity), grouping(d.year) FROM sales s JOIN item i ON s.item = i.id
  JOIN dates d ON s.sold = d.id GROUP BY i.category, d.year WITH ROLLUP;
-- union of text and ORC
SELECT 'text', count(*), sum(price) FROM sales_text UNION ALL SELECT 'orc', count(*), sum(price) FROM sales
  UNION ALL SELECT 'best', count(*), sum(amount) FROM best;
-- value of the state before
SELECT c.state, max(s.quantity), lag(max(s.quantity)) OVER (ORDER BY c.state) FROM sales s
  LEFT JOIN customer c ON s.customer = c.id GROUP BY c.state;
