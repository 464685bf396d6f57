/**
 * What operators look at and are woken for, described beside the metrics. `scripts/monitoring.ts`
 * makes Grafana dashboards, Prometheus rules with their tests, and the runbook out of it.
 */

/** Units as Grafana names them. */
export type PanelUnit = 'short' | 's' | 'bytes' | 'percentunit' | 'reqps' | 'ops' | 'none';

/** One line of a panel for each series that the expression yields. */
export interface PanelQuery {
  /** PromQL. `$instance` is the selected services. */
  readonly expression: string;
  /** `{{label}}` is replaced by the label of a series. */
  readonly legend: string;
}

export interface Panel {
  readonly title: string;
  /** What to conclude from it. */
  readonly description: string;
  readonly unit: PanelUnit;
  readonly queries: readonly PanelQuery[];
}

/** Values of a series, one each minute, in the notation of `promtool test rules`. */
export type TestSeries = Readonly<Record<string, string>>;

export interface Alert {
  /** Also the heading of its entry in docs/operations.md. */
  readonly name: string;
  /** PromQL that yields a series for each service, or part of one, that has the problem. */
  readonly expression: string;
  /** How long that must last, as Prometheus writes it. */
  readonly holds: string;
  /** `critical`: answers are wrong, missing or getting old. `warning`: they may become so. */
  readonly severity: 'critical' | 'warning';
  /** One sentence. */
  readonly summary: string;
  /** What to do, as paragraphs or list items of Markdown. */
  readonly actions: readonly string[];
  /** Series with which it fires at the end of a minute, and those with which it does not. */
  readonly tests: {
    readonly atMinute: number;
    readonly firing: TestSeries;
    /** Labels of the alert, apart from its severity. */
    readonly labels: Readonly<Record<string, string>>;
    readonly quiet: TestSeries;
  };
}

/** Panels and alerts of one part of the service: a dashboard, and a group of rules. */
export interface MonitoredPart {
  /** Kebab-case. */
  readonly id: string;
  readonly title: string;
  readonly panels: readonly Panel[];
  readonly alerts: readonly Alert[];
}
