# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""spark-job.py RESULT: an application in Python, with tasks in Python; writes its result there."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql.functions import udf

with SparkSession.builder.getOrCreate() as spark:
    numbers = spark.sparkContext.parallelize(range(20000), 2)
    sums = numbers.map(lambda n: (n % 17, n * n)).reduceByKey(lambda a, b: a + b)
    square = udf(lambda n: n * n, "long")
    total = spark.range(1000).select(square("id").alias("n")).agg({"n": "sum"}).collect()
    with open(sys.argv[1], "w", encoding="ascii") as result:
        result.write(f"{sorted(sums.collect())} {total}")
