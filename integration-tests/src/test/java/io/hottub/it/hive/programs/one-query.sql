USE shop;
-- sums by year and category
SELECT d.year, i.category, count(*), sum(s.price)
  FROM sales_text s JOIN item i ON s.item = i.id JOIN dates d ON s.sold = d.id
  GROUP BY d.year, i.category ORDER BY d.year, i.category;
