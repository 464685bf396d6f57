import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fixedPart, podOf } from '../support/chart-templates.ts';

const CHART = resolve('deploy/helm/mintscope');
const read = (path: string) => readFileSync(join(CHART, path), 'utf8');
const HAS_HELM = spawnSync('helm', ['version']).error === undefined;

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
    const pod = podOf('statefulset.yaml');
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
    expect(fixedPart('statefulset.yaml')).toMatchObject({
      kind: 'StatefulSet',
      spec: { volumeClaimTemplates: [{ metadata: { name: 'data' } }] },
    });
    // Several pods only where each is a replica with a volume of its own.
    expect(read('templates/statefulset.yaml')).toMatch(
      /^ {2}replicas: \{\{ ternary \.Values\.cluster\.folds 1 \.Values\.cluster\.enabled \}\}$/m,
    );
  });

  test('reads secrets from a Secret only, and has a network policy and a disruption budget', () => {
    const template = read('templates/statefulset.yaml');
    expect(template).toMatch(
      /with \.Values\.existingSecret \}\}\s+envFrom:\s+- secretRef:\s+name: \{\{ \. \}\}/,
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

  test.skipIf(!HAS_HELM)(
    'renders to YAML with and without its options, and refuses a chain without a node (skipped if helm is absent)',
    () => {
      const render = (...sets: readonly string[]) =>
        execFileSync(
          'helm',
          ['template', 'test', CHART, ...sets.flatMap((set) => ['--set', set])],
          {
            encoding: 'utf8',
          },
        );
      const kindsOf = (text: string) =>
        [...text.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind);
      expect(kindsOf(render('existingSecret=nodes')).sort()).toEqual([
        'NetworkPolicy',
        'PodDisruptionBudget',
        'Service',
        'StatefulSet',
      ]);
      expect(kindsOf(render('followChain=false', 'serviceMonitor.enabled=true'))).toContain(
        'ServiceMonitor',
      );
      expect(kindsOf(render('existingSecret=nodes', 'cluster.enabled=true'))).toContain(
        'Deployment',
      );
      expect(() => render()).toThrow(/existingSecret is not set/);
    },
  );
});
