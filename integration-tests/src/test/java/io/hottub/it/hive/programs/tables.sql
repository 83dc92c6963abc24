CREATE DATABASE shop;
USE shop;
CREATE EXTERNAL TABLE sales_text (sold int, item int, customer int, store int, quantity int, price decimal(7,2))
  ROW FORMAT DELIMITED FIELDS TERMINATED BY '|';
CREATE EXTERNAL TABLE item (id int, brand string, category string)
  ROW FORMAT DELIMITED FIELDS TERMINATED BY '|';
CREATE EXTERNAL TABLE customer (id int, name string, state string)
  ROW FORMAT DELIMITED FIELDS TERMINATED BY '|';
CREATE EXTERNAL TABLE dates (id int, year int, month int)
  ROW FORMAT DELIMITED FIELDS TERMINATED BY '|';
LOAD DATA LOCAL INPATH '${DATA}/sales' OVERWRITE INTO TABLE sales_text;
LOAD DATA LOCAL INPATH '${DATA}/item' OVERWRITE INTO TABLE item;
LOAD DATA LOCAL INPATH '${DATA}/customer' OVERWRITE INTO TABLE customer;
LOAD DATA LOCAL INPATH '${DATA}/dates' OVERWRITE INTO TABLE dates;
CREATE EXTERNAL TABLE sales (sold int, item int, customer int, quantity int, price decimal(7,2))
  PARTITIONED BY (store int) STORED AS ORC;
