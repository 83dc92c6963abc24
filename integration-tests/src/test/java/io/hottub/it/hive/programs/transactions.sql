-- rows of a table with transactions, changed
DROP TABLE IF EXISTS store;
CREATE TABLE store (item int, quantity int) STORED AS ORC TBLPROPERTIES ('transactional' = 'true');
INSERT INTO store SELECT id, 10 FROM item WHERE id > 5;
UPDATE store SET quantity = quantity + 5 WHERE item % 2 = 0;
DELETE FROM store WHERE item % 5 = 0;
MERGE INTO store USING (SELECT item, sum(quantity) sold FROM sales GROUP BY item) sums ON store.item = sums.item
  WHEN MATCHED AND sums.sold > 540 THEN UPDATE SET quantity = 0
  WHEN NOT MATCHED THEN INSERT VALUES (sums.item, -1);
SELECT quantity, count(*), sum(item) FROM store GROUP BY quantity;
