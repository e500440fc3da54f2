"""MatConvNet's DagNN as a struct, in version 7.3 by hdf5storage."""

import hdf5storage

from .common import arguments
from .matlab_files import dag, struct_array

tensors, folder = arguments()
hdf5storage.savemat(str(folder / "version 7.3.mat"), {"net": struct_array([dag(tensors, "bottomright", True)])},
                    format="7.3", oned_as="row", store_python_metadata=False, matlab_compatible=True)
