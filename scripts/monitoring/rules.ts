import type { Alert, MonitoredPart, TestSeries } from '../../src/model/monitoring.ts';
import type { Yaml } from './yaml.ts';

/** The rules of a part, as Prometheus reads them. */
export function rulesOf(parts: readonly MonitoredPart[]): Yaml {
  return {
    groups: parts.map(({ id, alerts }) => ({
      name: `mintscope-${id}`,
      rules: alerts.map((alert) => ({
        alert: alert.name,
        expr: alert.expression,
        for: alert.holds,
        labels: { severity: alert.severity },
        annotations: annotationsOf(alert),
      })),
    })),
  };
}

/** Tests of these rules, as `promtool test rules` reads them: two of each alert. */
export function ruleTestsOf(parts: readonly MonitoredPart[], rulesFile: string): Yaml {
  const alerts = parts.flatMap((part) => part.alerts);
  return {
    rule_files: [rulesFile],
    evaluation_interval: '1m',
    tests: alerts.flatMap((alert) => {
      const { firing, quiet, labels } = alert.tests;
      const fired = {
        exp_labels: { ...labels, severity: alert.severity },
        exp_annotations: annotationsOf(alert),
      };
      return [
        {
          name: `${alert.name} fires`,
          ...testOf(firing),
          alert_rule_test: [checkOf(alert, [fired])],
        },
        { name: `${alert.name} is quiet`, ...testOf(quiet), alert_rule_test: [checkOf(alert, [])] },
      ];
    }),
  };
}

function testOf(series: TestSeries): { readonly [name: string]: Yaml } {
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
  };
}

function checkOf({ name, tests }: Alert, expected: readonly Yaml[]): Yaml {
  const check = { eval_time: `${tests.atMinute}m`, alertname: name };
  return expected.length === 0 ? check : { ...check, exp_alerts: expected };
}

function annotationsOf({ name, summary }: Alert): { readonly [name: string]: string } {
  return { summary, runbook: `docs/operations.md#${anchorOf(name)}` };
}

/** The anchor of a heading. */
export function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(' ', '-');
}
