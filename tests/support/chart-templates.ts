import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Container {
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly startupProbe: { readonly httpGet: { readonly path: string } };
  readonly livenessProbe: { readonly httpGet: { readonly path: string } };
  readonly readinessProbe: { readonly httpGet: { readonly path: string } };
}

interface Pod {
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly containers: readonly Container[];
}

/** A template of the chart without the lines that depend on values, which need no renderer. */
export const fixedPart = (name: string): unknown =>
  parse(
    readFileSync(`deploy/helm/mintscope/templates/${name}`, 'utf8')
      .split('\n')
      .filter((line) => !line.includes('{{'))
      .join('\n'),
  );
/** The pod of a template of a workload. */
export const podOf = (name: string) =>
  (fixedPart(name) as { spec: { template: { spec: Pod } } }).spec.template.spec;
