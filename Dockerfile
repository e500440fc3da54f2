# The program and libdepth on Debian 12 with the Swift runtime inside: docker build -t swift-depth .
# Scripts/release/check-fresh-machine.sh runs these steps without Docker.
FROM swift:6.3-bookworm AS build
WORKDIR /src
COPY . .
RUN Scripts/install-libraries.sh
RUN Scripts/install.sh --prefix /usr/local --destdir /out

FROM debian:bookworm-slim
RUN apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
  libhdf5-103-1 libturbojpeg0 libpng16-16 zlib1g libdeflate0 libopenblas0-pthread libstdc++6 libheif1 libwebp7 ffmpeg && \
  rm -rf /var/lib/apt/lists/*
COPY --from=build /out/usr/local /usr/local
RUN ldconfig
USER nobody
WORKDIR /data
ENTRYPOINT ["depth"]
