"""Grading on a Dask cluster; needs the extra ``cluster``."""

from grader.cluster.backend import ClusterBackend, cluster_backend

__all__ = ["ClusterBackend", "cluster_backend"]
