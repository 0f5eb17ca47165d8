import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load, loadAll } from 'js-yaml';

export type Variables = Record<string, string>;

/** The part of a service in compose.yaml that the tests read. */
interface ComposeService {
  image: string;
  user?: string;
  environment?: Variables;
  secrets?: string[];
  stop_grace_period?: string;
  ports?: string[];
  volumes?: string[];
  networks?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
}

interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, null>;
  secrets: Record<string, { file: string }>;
}

interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  failureThreshold: number;
}

interface Labels {
  matchLabels: Variables;
}

/** The part of a Deployment or a Job that the tests read. */
interface Workload {
  kind: string;
  spec: {
    replicas?: number;
    strategy?: { rollingUpdate: { maxUnavailable: number; maxSurge: number } };
    selector?: Labels;
    template: {
      metadata: { labels: Variables; annotations?: Variables };
      spec: {
        terminationGracePeriodSeconds?: number;
        automountServiceAccountToken?: boolean;
        securityContext?: object;
        containers: {
          image: string;
          args?: string[];
          env: { name: string; value: string }[];
          ports?: { name: string; containerPort: number }[];
          securityContext?: object;
          volumeMounts: { name: string; mountPath: string }[];
          startupProbe?: Probe;
          livenessProbe?: Probe;
          readinessProbe?: Probe;
        }[];
        volumes: { name: string; secret?: { secretName: string } }[];
      };
    };
  };
}

interface Kustomization {
  namespace: string;
  resources: string[];
  images: object[];
}

interface Service {
  spec: { selector: Variables; ports: { targetPort: string }[] };
}

interface NetworkPolicy {
  spec: {
    podSelector: Labels;
    policyTypes: string[];
    ingress: { ports: { port: string | number }[] }[];
    egress: { ports: { port: string | number }[] }[];
  };
}

interface PodDisruptionBudget {
  spec: { maxUnavailable: number; selector: Labels };
}

interface Namespace {
  metadata: { name: string; labels: Variables };
}

/** Values of a YAML file, without the types of YAML. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

export const read = (path: string) => readFileSync(path, 'utf8');

export const found = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('not found');
  return value;
};

export const dockerfile = read('Dockerfile');
/** The variables that the image sets. */
export const imageVariables: Variables = Object.fromEntries(
  Array.from(
    found(/^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile)?.[1]).matchAll(/(\w+)=(\S+)/g),
    ([, name = '', value = '']) => [name, value],
  ),
);

export const compose: Compose = plain(load(read('compose.yaml')));
export const service = found(compose.services['status-pages']);

const unit = read('deploy/systemd/status-pages.service');
/** The values of a systemd unit's directive. */
export const directives = (name: string) =>
  Array.from(unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value = '']) => value);

export const MANIFESTS = 'deploy/kubernetes';
const manifest = (path: string) => plain(load(read(join(MANIFESTS, path))));

const workloads: Workload[] = ['deployment.yaml', 'migrate/job.yaml'].flatMap((path) =>
  plain(loadAll(read(join(MANIFESTS, path)))),
);
export const workload = (kind: string) => found(workloads.find((one) => one.kind === kind)).spec;
export const pod = (kind: string) => workload(kind).template;
export const container = (kind: string) => found(pod(kind).spec.containers[0]);
export const variablesOf = (kind: string): Variables =>
  Object.fromEntries(container(kind).env.map(({ name, value }) => [name, value]));

export const kubernetesService: Service = manifest('service.yaml');
export const networkPolicy: NetworkPolicy = manifest('network-policy.yaml');
export const disruptionBudget: PodDisruptionBudget = manifest('pod-disruption-budget.yaml');
export const namespace: Namespace = manifest('namespace.yaml');
/** The kustomizations by directory. */
export const kustomizations: Record<string, Kustomization> = {
  '': manifest('kustomization.yaml'),
  migrate: manifest('migrate/kustomization.yaml'),
};

/** The variables that each deployment method sets, combined with the image's variables. */
export const deployments: Record<string, Variables> = {
  'compose.yaml': { ...imageVariables, ...service.environment },
  'the systemd unit': Object.fromEntries(directives('Environment').map((text) => text.split('='))),
  'the Deployment': { ...imageVariables, ...variablesOf('Deployment') },
  'the Job': { ...imageVariables, ...variablesOf('Job') },
};
