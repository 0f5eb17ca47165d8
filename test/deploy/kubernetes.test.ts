import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  container,
  deployments,
  disruptionBudget,
  dockerfile,
  found,
  imageVariables,
  kubernetesService,
  kustomizations,
  MANIFESTS,
  namespace,
  networkPolicy,
  pod,
  read,
  variablesOf,
  workload,
} from './deployment-files.js';

describe('deploy/kubernetes', () => {
  const { ports = [], startupProbe, livenessProbe, readinessProbe, volumeMounts } = container('Deployment');
  const portOf = (name: string) => String(ports.find((port) => port.name === name)?.containerPort);

  it('uses the ports of the server', () => {
    const variables = found(deployments['the Deployment']);
    expect([portOf('http'), portOf('admin')]).toEqual([variables['PORT'], variables['ADMIN_PORT']]);
    expect(variables['ADMIN_HOST']).toBe('0.0.0.0');
    expect(pod('Deployment').metadata.annotations).toEqual({
      'prometheus.io/scrape': 'true',
      'prometheus.io/port': portOf('admin'),
      'prometheus.io/path': '/metrics',
    });
    const probes = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet);
    const [live, ready] = ['/health/live', '/health/ready'].map((path) => ({ path, port: 'http' }));
    expect(probes).toEqual([live, live, ready]);
  });

  it('renders with kustomize, using every file of its directory', () => {
    for (const [folder, { resources }] of Object.entries(kustomizations)) {
      const files = readdirSync(join(MANIFESTS, folder)).filter((name) => name.endsWith('.yaml'));
      expect([...resources, 'kustomization.yaml'].toSorted()).toEqual(files.toSorted());
    }
  });

  it("mounts a writable directory at the image's data directory", () => {
    expect(volumeMounts).toContainEqual({ name: 'data', mountPath: imageVariables['DATA_DIR'] });
  });
});

describe('Kubernetes pods', () => {
  const [user, group] = found(/^USER (.*)$/m.exec(dockerfile)?.[1])
    .split(':')
    .map(Number);

  it.each(['Deployment', 'Job'])('run without privileges and write only to their volumes: %s', (kind) => {
    const { securityContext, automountServiceAccountToken } = pod(kind).spec;
    expect(securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: group,
      fsGroup: group, // reads the secret
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(automountServiceAccountToken).toBe(false);
    expect(container(kind).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(namespace.metadata.labels).toHaveProperty('pod-security.kubernetes.io/enforce', 'restricted');
  });

  it.each(['Deployment', 'Job'])('mount each volume and the secret of the service: %s', (kind) => {
    const { volumes } = pod(kind).spec;
    const mounts = container(kind).volumeMounts;
    expect(mounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name));
    const paths = Object.fromEntries(mounts.map(({ name, mountPath }) => [name, mountPath]));
    expect(variablesOf(kind)['DATABASE_URL_FILE']).toBe(`${paths['secrets']}/database_url`);
    // As docs/install.md creates it.
    expect(volumes[0]?.secret?.secretName).toBe('status-pages');
    expect(read('docs/install.md')).toContain('create secret generic status-pages --from-file=database_url=');
    expect(paths['data']).toBe(imageVariables['DATA_DIR']);
    if (kind === 'Deployment') expect(paths['tmp']).toBe('/tmp');
  });

  it('match the Service, the PodDisruptionBudget and the NetworkPolicy', () => {
    const { labels } = pod('Deployment').metadata;
    expect([
      workload('Deployment').selector?.matchLabels,
      kubernetesService.spec.selector,
      disruptionBudget.spec.selector.matchLabels,
      networkPolicy.spec.podSelector.matchLabels,
    ]).toEqual([labels, labels, labels, labels]);
    expect(pod('Job').metadata.labels).not.toEqual(labels); // receives no requests
    const namespaces = Object.values(kustomizations).map((one) => one.namespace);
    expect(namespaces).toEqual([namespace.metadata.name, namespace.metadata.name]);
  });

  it('accept connections only on their ports and can connect to their dependencies', () => {
    expect(kubernetesService.spec.ports.map(({ targetPort }) => targetPort)).toEqual(['http']);
    const { policyTypes, ingress, egress } = networkPolicy.spec;
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    const portsOf = (rules: typeof ingress) => rules.flatMap(({ ports }) => ports.map(({ port }) => port));
    expect(portsOf(ingress)).toEqual(['http', 'admin']);
    expect(portsOf(egress)).toEqual([53, 53, 5432, 6379, 465, 587, 443]);
  });

  it('restart one after the other, without losing requests', () => {
    const { replicas = 0, strategy } = workload('Deployment');
    expect(strategy?.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(replicas).toBeGreaterThan(disruptionBudget.spec.maxUnavailable);
    const { periodSeconds, failureThreshold } = found(container('Deployment').readinessProbe);
    const { DRAIN_DELAY } = variablesOf('Deployment');
    expect(Number(DRAIN_DELAY)).toBeGreaterThan(periodSeconds * failureThreshold);
  });

  it('run the command line of the image in the Job', () => {
    const [program = '', ...command] = found(container('Job').args);
    expect(existsSync(program.replace(/^dist\/(.*)\.js$/, '$1.ts'))).toBe(true);
    expect(read('docs/cli.md')).toContain(`\n| \`${command.join(' ')} `);
  });
});
