#!/usr/bin/env bash
# Fails when a file says `unsafe` that is not listed here. The compiler makes all raw memory say it
# (`.strictMemorySafety()` in Package.swift), so this is the list of files to read with pointers in mind.
set -euo pipefail
cd "$(dirname "$0")/../.."
allowed='
# The shared ground: rows and parts of arrays lent as spans, threads, aligned memory.
Sources/DepthBase/ThreadTeams/
# One checked Swift function per C kernel, and the table of kernels.
Sources/DepthBase/InstructionSets/
Sources/DepthEffects/EffectKernels.swift
Sources/DepthEvaluation/MetricKernels.swift
Sources/DepthImages/PictureKernels.swift
Sources/DepthRefinement/RefinementKernels.swift
Sources/PictureFiles/PNG/PNGKernels.swift
Sources/ViewSynthesis/Warp/ViewKernels.swift
# Feature maps and weights in a workspace planned beforehand, and products on them.
Sources/NeuralEngine/Convolution/
Sources/NeuralEngine/Dense/
Sources/NeuralEngine/GEMM/
Sources/NeuralEngine/Run/Workspace
Sources/NeuralEngine/Transformer/
Sources/NeuralEngine/Winograd/
# Inner loops of effects, pixel after pixel.
Sources/DepthEffects/DepthMask+Bicubic.swift
Sources/DepthEffects/Image+FocusMask.swift
Sources/DepthEffects/Image+Haze.swift
Sources/DepthEffects/Image+MaskEffects.swift
Sources/DepthEffects/Image+MaskedBlur.swift
Sources/DepthEffects/LensBlur/LayerSums.swift
Sources/DepthEffects/LensBlur/LensScatter.swift
# Pictures and maps in memory of the caller, checked against their sizes by PixelLayout.
Sources/DepthImages/DepthMap+Memory.swift
Sources/DepthImages/Image+Memory.swift
Sources/DepthImages/PixelLayout.swift
# Calls by C programs: their structures and memory, checked against the sizes that they give.
Sources/DepthLibrary/
Tools/FuzzTargets/
# Calls of the system and of C libraries.
Sources/DepthBase/AtomicFiles/
Sources/DepthBase/InputFiles/
Sources/DepthBase/Processes/
Sources/DepthErrors/SystemReason.swift
Sources/HDF5Files/
Sources/PictureFiles/ChildDecoder.swift
Sources/PictureFiles/HEIF/HEVCPicture.swift
Sources/LocalHTTP/Sockets/
Sources/WeightsFiles/HDF5Weights/HDF5WeightArchive.swift
Sources/WeightsFiles/HDF5Weights/WeightsBlock.swift
Sources/DepthBase/FileChecksums/
Sources/PictureFiles/JPEG/JPEGDecoder.swift
Sources/PictureFiles/JPEG/JPEGEncoder.swift
Sources/PictureFiles/JPEG/JPEGScans.swift
Sources/PictureFiles/PNG/Deflate.swift
Sources/PictureFiles/PNG/PNGPixels.swift
Sources/DepthBase/ProcessLimits/MemoryBudget.swift
Sources/DepthBase/ProcessLimits/Processors.swift
Sources/DepthBase/ProcessLimits/PeakMemory.swift
Sources/FilmFiles/
Sources/FrameStreams/ByteSource.swift
Sources/DepthCommands/CommandLine/Console.swift
Sources/DepthCommands/CommandLine/Interruption.swift
Sources/DepthCommands/CommandLine/RawArguments.swift
Sources/DepthCommands/Frames/CommandRunner.swift
Sources/DepthCommands/Frames/FrameInput.swift
# Samples of frames, plane after plane, whose counts were checked when the frame was read.
Sources/FrameStreams/DepthMap+Samples.swift
Sources/FrameStreams/PlanarLayout+Writing.swift
Sources/FrameStreams/PlaneKernels.swift
# Numbers at any byte of a file, and text in the program.
Sources/DepthGeometry/Pages/PageFile.swift
Sources/PictureFiles/DepthFormats/FloatGrid.swift
Sources/PictureFiles/StaticString+Bytes.swift
'
bad=0
while IFS= read -r file; do
  if ! grep -v '^#' <<<"$allowed" | grep . | while IFS= read -r entry; do
    case $file in "$entry"*) exit 1 ;; esac
  done; then continue; fi
  echo "$file says unsafe and is not listed in Scripts/checks/check-unsafe.sh" >&2
  bad=1
done < <(git ls-files -co --exclude-standard 'Sources/*.swift' 'Tools/*.swift' 'Tests/SceneRendering/*.swift' 'Weights/*.swift' |
  xargs grep -lE '^([^/]|/[^/])*\b(unsafe\b|Unsafe(Mutable)?(Raw)?(Buffer)?Pointer)')
exit $bad
