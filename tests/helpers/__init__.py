"""Robots, recordings and measurements that several tests share."""
