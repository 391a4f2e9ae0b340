# The daemon as a container: not root, read-only root file system, state and projects in volumes.
FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# No script of a dependency runs: what is needed of them comes without.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json build.ts ./
COPY config config
COPY src src
RUN npm run build

FROM node:24-slim
# Where the health check asks: say the same as page.listen of the config, where that is another.
ENV NODE_ENV=production DRAGOMAN_PAGE=http://127.0.0.1:9730
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/dist dist
COPY config config
COPY systemd systemd
# A new volume takes owner and mode from this folder: the container may run as any user.
RUN mkdir -m 1777 /state
USER node
WORKDIR /work
VOLUME ["/work"]
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(process.env.DRAGOMAN_PAGE + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["run", "--no-input"]
