# The daemon as a container: not root, read-only root file system, state and projects in volumes.
FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json tsconfig.json tsconfig.build.json build.ts ./
COPY src src
COPY config config
COPY examples examples
COPY systemd systemd
RUN npm ci && npm prune --omit=dev

FROM node:24-slim
ENV NODE_ENV=production
COPY --from=build /build/package.json /app/
COPY --from=build /build/node_modules /app/node_modules
COPY --from=build /build/dist /app/dist
COPY --from=build /build/config /app/config
USER node
WORKDIR /work
VOLUME ["/work"]
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9730/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["run", "--no-input"]
