import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fixedPart, podOf } from '../support/chart-templates.ts';
import { ChartRenderer, HAS_CHART_RENDERER } from '../support/render-chart.ts';

const CHART = resolve('deploy/helm/mintscope');
const read = (path: string) => readFileSync(join(CHART, path), 'utf8');

describe('the chart', () => {
  const values = parse(read('values.yaml')) as Record<string, unknown>;
  const validate = new Ajv({ strict: true }).compile(
    JSON.parse(read('values.schema.json')) as Record<string, unknown>,
  );
  const errorsOf = (changes: Record<string, unknown>) => {
    validate({ ...values, ...changes });
    return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
  };

  test('accepts its own values and refuses wrong ones', () => {
    expect(errorsOf({})).toEqual([]);
    expect(errorsOf({ replicas: 2 })).toEqual([' additionalProperties']);
    expect(errorsOf({ service: { httpPort: 0 } })).toEqual(['/service/httpPort minimum']);
    expect(errorsOf({ settings: { MINTSCOPE_LOG_RETENTION: 30 } })).toEqual([
      '/settings/MINTSCOPE_LOG_RETENTION type',
    ]);
    // Set by the chart itself, which a second entry would contradict.
    expect(errorsOf({ settings: { MINTSCOPE_PORT: '1' } })[0]).toBe('/settings not');
    expect(errorsOf({ persistence: { size: 'large' } })).toEqual(['/persistence/size pattern']);
  });

  test('describes each value in its schema', () => {
    const { properties } = JSON.parse(read('values.schema.json')) as {
      properties: Record<string, unknown>;
    };
    const { global: _, ...described } = properties;
    expect(Object.keys(described).sort()).toEqual(Object.keys(values).sort());
  });

  test('probes the service, mounts its volume, and lets the container do nothing else', () => {
    const pod = podOf('_replicas.tpl');
    const [container] = pod.containers;
    expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    // A service that applies its log is alive, but not ready.
    expect(container?.startupProbe.httpGet.path).toBe('/livez');
    expect(container?.livenessProbe.httpGet.path).toBe('/livez');
    expect(container?.readinessProbe.httpGet.path).toBe('/readyz');
    expect(container?.volumeMounts).toContainEqual({ name: 'data', mountPath: '/data' });
    expect(fixedPart('_replicas.tpl')).toMatchObject({
      kind: 'StatefulSet',
      spec: { volumeClaimTemplates: [{ metadata: { name: 'data' } }] },
    });
  });

  test('reads secrets from a Secret only, and has a network policy and a disruption budget', () => {
    const template = read('templates/_replicas.tpl');
    expect(template).toMatch(
      /with \$root\.Values\.existingSecret \}\}\s+envFrom:\s+- secretRef:\s+name: \{\{ \. \}\}/,
    );
    expect(template).not.toMatch(/SOLANA_RPC_URL\s*$|TOKEN|BOOTSTRAP_KEY/m);
    expect(fixedPart('networkpolicy.yaml')).toMatchObject({
      kind: 'NetworkPolicy',
      spec: { policyTypes: ['Ingress'] },
    });
    expect(fixedPart('poddisruptionbudget.yaml')).toMatchObject({ kind: 'PodDisruptionBudget' });
  });

  test('has the version of the service', () => {
    const chart = parse(read('Chart.yaml')) as Record<string, unknown>;
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(chart).toMatchObject({ version, appVersion: version });
  });

  test('uses no value that it does not have', () => {
    const used = globSync('*', { cwd: join(CHART, 'templates') }).flatMap((name) =>
      [...read(`templates/${name}`).matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path),
    );
    const valueAt = (path: string) =>
      path
        .split('.')
        .reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], values);
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter((path) => valueAt(path) === undefined)).toEqual([]);
  });
});

interface Workload {
  readonly replicas: number;
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly template: {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> };
    readonly spec: {
      readonly nodeSelector?: object;
      readonly containers: readonly {
        readonly args: readonly string[];
        readonly env: readonly { readonly name: string; readonly value?: string }[];
        readonly envFrom?: readonly object[];
      }[];
    };
  };
}

describe.skipIf(!HAS_CHART_RENDERER)('the rendered chart', () => {
  const CLUSTER = { existingSecret: 'nodes', cluster: { enabled: true } };
  let renderer: ChartRenderer;

  beforeAll(() => {
    renderer = new ChartRenderer();
  });

  const kindsOf = (values: object) => renderer.render(values).map(({ kind }) => kind);
  /** The workloads by their names. */
  const workloadsOf = (values: object) => {
    const ofPods = renderer
      .render(values)
      .filter(({ kind }) => kind === 'StatefulSet' || kind === 'Deployment');
    return new Map(
      ofPods.map(({ metadata, spec }) => [metadata.name, spec as unknown as Workload]),
    );
  };
  const containerOf = (workload: Workload | undefined) => workload?.template.spec.containers[0];

  test('is one service that follows a chain, with its policy and budget', () => {
    const settings = { MINTSCOPE_LOG_RETENTION: '30d' };
    const values = { existingSecret: 'nodes', settings, nodeSelector: { disk: 'fast' } };
    expect(kindsOf(values).sort()).toEqual([
      ...['NetworkPolicy', 'PodDisruptionBudget', 'Service', 'StatefulSet'],
    ]);
    const service = workloadsOf(values).get('test-mintscope');
    const container = containerOf(service);
    expect(service?.replicas).toBe(1);
    expect(service?.template.spec.nodeSelector).toEqual({ disk: 'fast' });
    expect(container?.args).toEqual(['start', '--no-simulate']);
    expect(container?.env).toContainEqual({ name: 'MINTSCOPE_LOG_RETENTION', value: '30d' });
    expect(container?.envFrom).toEqual([{ secretRef: { name: 'nodes' } }]);
  });

  test('serves a simulated market without a secret, and is watched where that is wanted', () => {
    const values = { followChain: false, serviceMonitor: { enabled: true } };
    expect(kindsOf(values)).toContain('ServiceMonitor');
    const container = containerOf(workloadsOf(values).get('test-mintscope'));
    expect(container?.args).toEqual(['start', '--simulate']);
    expect(container?.envFrom).toBeUndefined();
  });

  test('is refused with a chain and no secret, and as a cluster without a chain', () => {
    expect(() => renderer.render({})).toThrow(/existingSecret is not set/);
    const values = { ...CLUSTER, followChain: false };
    expect(() => renderer.render(values)).toThrow(/cluster.enabled needs a chain/);
  });

  test('is three folds, of which one gathers, and two ingesters on several machines', () => {
    const workloads = workloadsOf(CLUSTER);
    expect([...workloads.keys()].sort()).toEqual(['test-mintscope', 'test-mintscope-ingest']);
    expect(workloads.get('test-mintscope')?.replicas).toBe(3);
    expect(workloads.get('test-mintscope-ingest')?.replicas).toBe(2);
    const folds = containerOf(workloads.get('test-mintscope'));
    expect(folds?.args).toEqual(['start', '--role', 'fold']);
    expect(folds?.env.map(({ name }) => name)).not.toContain('MINTSCOPE_OFFCHAIN');
  });

  test('has pods of their own that gather, which the folds follow, and nodes before the folds', () => {
    const cluster = { enabled: true, gatherers: 2, apis: 2 };
    const workloads = workloadsOf({ ...CLUSTER, cluster });
    expect([...workloads.keys()].sort()).toEqual([
      ...['test-mintscope', 'test-mintscope-api'],
      ...['test-mintscope-gather', 'test-mintscope-ingest'],
    ]);
    const gather = workloads.get('test-mintscope-gather');
    expect(gather?.replicas).toBe(2);
    expect(containerOf(gather)?.args).toEqual(['start', '--role', 'gather']);
    expect(containerOf(gather)?.env.map(({ name }) => name)).not.toContain('MINTSCOPE_OFFCHAIN');
    const folds = containerOf(workloads.get('test-mintscope'));
    expect(folds?.env).toContainEqual({ name: 'MINTSCOPE_OFFCHAIN', value: 'follow' });
  });

  test('selects the pods of each workload by labels that no other has', () => {
    const cluster = { enabled: true, gatherers: 1, apis: 1 };
    const workloads = [...workloadsOf({ ...CLUSTER, cluster }).values()];
    for (const { selector } of workloads) {
      const wanted = Object.entries(selector.matchLabels);
      const selected = workloads.filter(({ template: { metadata } }) =>
        wanted.every(([name, value]) => metadata.labels[name] === value),
      );
      expect(selected).toHaveLength(1);
    }
  });
});
