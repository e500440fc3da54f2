"""Where frames come from, and which make the next batch."""

from dataclasses import KW_ONLY, dataclass
from enum import Enum

from .augmentation import Augmentation
from .frames import Frames
from .loss import Borders
from .packs import Packs
from .teacher import Teacher


class Errors(Enum):
    """What a network learns to expect of its error from."""

    NONE = 0  # nothing: a teacher's depth is no truth
    GIVEN = 1  # errors of networks that have not seen the frame, where they are given, else its own
    OWN_OF_FEW = 2  # its own on frames that are few enough to be known by heart, times what those on others are larger
    OWN_AND_GLASS = 3  # its own on frames without end, which it cannot know by heart, and a large one on glass


@dataclass(frozen=True)
class Source:
    """Frames of one kind and what a batch has of them."""

    name: str
    frames: Frames
    share: float  # of a batch
    _: KW_ONLY
    edges: tuple[int, ...]  # pixels apart at which its depth is good enough to learn edges from
    pasted: float = 0  # share of frames that get a rectangle of another
    pooled: int = 1  # side of the squares of map pixels that are averaged first: a teacher's borders are soft
    borders: Borders = Borders.SOFT
    normals: bool = False  # whether its depth is good enough to learn surfaces' normals from
    errors: Errors = Errors.NONE
    augmentation: Augmentation | None = None  # of its views, where it is not that of the run
    teacher: Teacher | None = None  # says the depth of the very view that the network is shown; frames then need none
    packs: Packs | None = None  # where its frames come from in turn; `frames` are then a few of them, to measure norms on

    def __len__(self) -> int:
        return len(self.packs or self.frames)
