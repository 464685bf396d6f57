import type { MonitoredPart, Panel } from '../../src/model/monitoring.ts';

const COLUMNS = 24;
const PANEL_WIDTH = 12;
const PANEL_HEIGHT = 8;
const DATASOURCE = { type: 'prometheus', uid: '$datasource' };

/** The dashboard of a part, as Grafana reads it. */
export function dashboardOf({ id, title, panels }: MonitoredPart): object {
  return {
    uid: `mintscope-${id}`,
    title: `Mintscope: ${title}`,
    tags: ['mintscope'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        {
          name: 'instance',
          label: 'Service',
          type: 'query',
          datasource: DATASOURCE,
          query: { query: 'label_values(mintscope_slot, instance)', refId: 'instance' },
          refresh: 2,
          includeAll: true,
          multi: true,
          allValue: '.*',
          current: { text: 'All', value: '$__all' },
        },
      ],
    },
    panels: panels.map(panelOf),
  };
}

function panelOf({ title, description, unit, queries }: Panel, index: number): object {
  const perRow = COLUMNS / PANEL_WIDTH;
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    description,
    datasource: DATASOURCE,
    gridPos: {
      x: (index % perRow) * PANEL_WIDTH,
      y: Math.floor(index / perRow) * PANEL_HEIGHT,
      w: PANEL_WIDTH,
      h: PANEL_HEIGHT,
    },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { tooltip: { mode: 'multi' }, legend: { displayMode: 'list', placement: 'bottom' } },
    targets: queries.map(({ expression, legend }, query) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + query),
      datasource: DATASOURCE,
      expr: expression,
      legendFormat: legend,
    })),
  };
}
