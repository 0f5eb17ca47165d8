# Builds with `docker build -t status-pages .`, and with BuildKit, Podman or Buildah alike. docs/install.md has the rest.
ARG NODE_VERSION=24

FROM node:${NODE_VERSION}-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/embedded-postgres/package.json packages/embedded-postgres/
COPY packages/fair-admission/package.json packages/fair-admission/
COPY packages/resilient-pg/package.json packages/resilient-pg/
COPY clients/typescript/package.json clients/typescript/
COPY schematics/package.json schematics/
# The service, its own packages and the client with its command.
RUN ["npm", "ci", "--include-workspace-root", "--workspace=packages", "--workspace=clients", "--ignore-scripts", "--no-audit", "--no-fund"]

FROM packages AS build
COPY tsconfig.json tsconfig.build.json tsconfig.packages.json ormconfig.ts ./
COPY bin/bundle.mjs bin/
COPY packages packages
COPY clients/typescript clients/typescript
COPY src src
RUN ["npm", "run", "build"]

# Does not depend on src: the largest layer of the image changes with package-lock.json only.
FROM packages AS production-packages
RUN ["npm", "prune", "--omit=dev", "--include-workspace-root", "--workspace=packages", "--workspace=clients", "--ignore-scripts", "--no-audit", "--no-fund"]
# Stays because @nestjs/swagger can use it. "--omit=optional" would also remove the binaries of sharp.
RUN ["rm", "-r", "node_modules/typescript"]
RUN ["mkdir", "/data"]

# No shell, no package manager. Its user nonroot has the ID 65532.
FROM gcr.io/distroless/nodejs${NODE_VERSION}-debian12:nonroot
LABEL org.opencontainers.image.title="status-pages" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3000 \
  DATA_DIR=/var/lib/status-pages
WORKDIR /app
COPY --from=production-packages /app/node_modules node_modules
COPY --from=production-packages /app/packages packages
COPY --from=build /app/packages/embedded-postgres/dist packages/embedded-postgres/dist
COPY --from=build /app/packages/fair-admission/dist packages/fair-admission/dist
COPY --from=build /app/packages/resilient-pg/dist packages/resilient-pg/dist
COPY --from=production-packages /app/clients clients
COPY --from=build /app/clients/typescript/bin clients/typescript/bin
COPY --from=build /app/clients/typescript/dist clients/typescript/dist
COPY --from=build /app/dist/src dist/src
COPY package.json LICENSE ./
COPY bin/health-check.mjs bin/
COPY --from=production-packages --chown=65532:65532 /data /var/lib/status-pages
USER 65532:65532
VOLUME /var/lib/status-pages
EXPOSE 3000
STOPSIGNAL SIGTERM
# Liveness, not readiness: a restart helps no process whose database is away.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/nodejs/bin/node", "bin/health-check.mjs", "/health/live"]
ENTRYPOINT ["/nodejs/bin/node"]
# The flags of bin/v8-flags for this version.
CMD ["--max-semi-space-size=16", "--no-allocation-site-pretenuring", "dist/src/main.js"]
