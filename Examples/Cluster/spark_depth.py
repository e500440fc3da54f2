#!/usr/bin/env python3
"""Depth of many photos with Spark: files in, Parquet out.

    spark-submit spark_depth.py PHOTOS --output maps [--partitions 64] [--threads 1]

Each row has `path`, `height`, `width`, `near_m`, `far_m`, `depth` (little-endian float32, metres) and `error`. A row's path is its
identity: a run that is started again leaves photos whose rows are there. Tasks of a killed worker are done again by Spark.
"""

import argparse
from typing import Iterator

import pandas as pd
from pyspark.sql import SparkSession

SCHEMA = "path string, height int, width int, near_m float, far_m float, depth binary, error string"


def mapper(threads: int):
    """The function that Spark runs on each partition."""

    def maps(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        import swift_depth

        # Once per partition, before the loop. Spark forks its workers, so no engine comes from the parent.
        with swift_depth.Estimator(threads=threads) as estimator:

            def row(path: str, content: bytes) -> tuple:
                try:
                    depth = estimator.estimate(content).depth
                except swift_depth.DepthError as error:
                    return path, None, None, None, None, None, str(error)
                values = depth.astype("<f4").tobytes()
                return path, *depth.shape, float(depth.min()), float(depth.max()), values, None

            for batch in batches:
                rows = [row(path, content) for path, content in zip(batch["path"], batch["content"])]
                names = [field.split()[0] for field in SCHEMA.split(", ")]
                yield pd.DataFrame(rows, columns=names, dtype=object)

    return maps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos")
    parser.add_argument("--output", required=True)
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--threads", type=int, default=1, help="of each task; set spark.task.cpus to it")
    arguments = parser.parse_args()
    spark = SparkSession.builder.appName("depth").getOrCreate()
    # A batch holds the bytes of its photos: few, since photos are large.
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "8")
    photos = (
        spark.read.format("binaryFile")
        .option("pathGlobFilter", "*.{jpg,jpeg,png,JPG,JPEG,PNG}")
        .option("recursiveFileLookup", "true")
        .load(arguments.photos)
        .select("path", "content")
    )
    output = spark._jvm.org.apache.hadoop.fs.Path(arguments.output)
    if output.getFileSystem(spark._jsc.hadoopConfiguration()).exists(output):
        photos = photos.join(spark.read.parquet(arguments.output).select("path"), "path", "left_anti")
    rows = photos.repartition(arguments.partitions).mapInPandas(mapper(arguments.threads), SCHEMA)
    rows.write.mode("append").parquet(arguments.output)
    spark.stop()


if __name__ == "__main__":
    main()
