"""Children of ``fork``: the parent's estimator is refused, a new one works."""

import os
import sys

import numpy as np
import pytest
from pictures import room

import swift_depth

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")


def in_child(body) -> int:
    """The exit status of ``body`` in a child; 99 where it throws."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        status = 99
        try:
            status = body()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_children(estimator):
    picture = room()
    expected = estimator.estimate(picture).depth

    def body() -> int:
        try:
            estimator.estimate(picture)
            return 1
        except swift_depth.ForkedError as error:
            if error.code != "forked" or "opened after fork" not in str(error):
                return 2
        # Closing the parent's estimator harms nobody.
        estimator.close()
        with swift_depth.Estimator("compact", threads=2) as own:
            return 0 if np.array_equal(own.estimate(picture).depth, expected) else 3

    for _ in range(3):
        assert in_child(body) == 0
    np.testing.assert_array_equal(estimator.estimate(picture).depth, expected)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_the_library_itself_refuses(estimator):
    def body() -> int:
        estimator._process = os.getpid()
        try:
            estimator.estimate(room())
        except swift_depth.ForkedError:
            return 0
        return 1

    assert in_child(body) == 0
