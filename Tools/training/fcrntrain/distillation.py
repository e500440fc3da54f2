"""Views whose depth the teacher estimates from the very pixels that the network is shown."""

import torch
from torch import Tensor

from .augmentation import Augmentation, Rectangles, Views, blended, output_size, views
from .frames import Frames
from .teacher import Teacher

#: The teacher was trained on whole frames of one camera, so these views are neither cropped nor stretched.
WHOLE = Augmentation(whole_frames=1, aspect=0, degrees=2)
#: Share of the views in which another picture shines through, and share with a rectangle of another picture.
BLENDED, PASTED = 0.5, 0.5


def taught_views(teacher: Teacher, frames: Frames, chosen: Tensor, height: int, width: int,
                 random: torch.Generator) -> Views:
    """Whole views of the `chosen` pictures, many of them two pictures at once, with the teacher's depth.

    A teacher that was trained on more rooms than there are labels is a function that can be matched on any input, also on
    pictures that no camera takes. Source: L. Beyer et al., "Knowledge distillation: A good teacher is patient and
    consistent", CVPR 2022, section 3 ("function matching").
    """
    device = frames.pictures.device
    others = frames.pictures[torch.randint(len(frames), (len(chosen),), generator=random, device=device)]
    pictures = Rectangles(len(chosen), PASTED, random, device).pasted(frames.pictures[chosen], others)
    pictures = blended(pictures, others, BLENDED, random)
    shown = views(pictures, frames.depth[chosen], height, width, WHOLE, random)
    return Views(shown.pixels, teacher.metres(shown.pixels, output_size(height, width)))
