import { API_PANELS, type ApiPanel, FOLD_SQL, SQL_PANELS, type SqlPanel } from './token-panels.ts';

const COLUMNS = 24;
const PANEL_WIDTH = 12;
const PANEL_HEIGHT = 9;
const API_SOURCE = { type: 'yesoreyeram-infinity-datasource', uid: '$datasource' };
const SQL_SOURCE = { type: 'grafana-clickhouse-datasource', uid: '$datasource' };

/** An address that is none: the dashboard asks for one. */
const TOKEN = { name: 'token', label: 'Token', type: 'textbox', query: '', current: { value: '' } };

/** The dashboard of a token over the API, as the JSON data source Infinity reads it. */
export function apiTokenDashboard(): object {
  return dashboard({
    id: 'api',
    title: 'a token, from the API',
    source: API_SOURCE,
    variables: [],
    panels: API_PANELS.map((panel) => ({ panel, target: apiTarget(panel) })),
  });
}

/** The dashboard of a token over the tables of a ClickHouse server. */
export function sqlTokenDashboard(): object {
  const fold = {
    name: 'fold',
    type: 'query',
    datasource: SQL_SOURCE,
    query: FOLD_SQL,
    // The user has nothing to choose. It is read again when the dashboard is opened.
    hide: 2,
    refresh: 1,
  };
  return dashboard({
    id: 'clickhouse',
    title: 'a token, from ClickHouse',
    source: SQL_SOURCE,
    variables: [fold],
    panels: SQL_PANELS.map((panel) => ({ panel, target: sqlTarget(panel) })),
  });
}

interface Dashboard {
  readonly id: string;
  readonly title: string;
  readonly source: { readonly type: string };
  readonly variables: readonly object[];
  readonly panels: readonly { readonly panel: ApiPanel | SqlPanel; readonly target: object }[];
}

function dashboard({ id, title, source, variables, panels }: Dashboard): object {
  return {
    uid: `mintscope-token-${id}`,
    title: `Mintscope: ${title}`,
    tags: ['mintscope'],
    schemaVersion: 39,
    editable: true,
    time: { from: 'now-1h', to: 'now' },
    timezone: 'utc',
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: source.type },
        TOKEN,
        ...variables,
      ],
    },
    panels: panels.map(({ panel, target }, index) => ({
      id: index + 1,
      type: panel.type,
      title: panel.title,
      description: panel.description,
      datasource: source,
      gridPos: {
        x: (index % (COLUMNS / PANEL_WIDTH)) * PANEL_WIDTH,
        y: Math.floor((index * PANEL_WIDTH) / COLUMNS) * PANEL_HEIGHT,
        w: PANEL_WIDTH,
        h: PANEL_HEIGHT,
      },
      fieldConfig: { defaults: { unit: panel.unit }, overrides: [] },
      targets: [{ refId: 'A', datasource: source, ...target }],
    })),
  };
}

/** The backend of the data source asks, so that browsers have no key and alerts work. */
function apiTarget({ url, list, fields, type }: ApiPanel): object {
  return {
    type: 'json',
    source: 'url',
    parser: 'backend',
    format: type === 'timeseries' || type === 'candlestick' ? 'timeseries' : 'table',
    url,
    url_options: { method: 'GET' },
    root_selector: list,
    columns: Object.entries(fields).map(([name, kind]) => ({
      selector: name,
      text: name,
      type: kind,
    })),
  };
}

function sqlTarget({ sql, type }: SqlPanel): object {
  const isSeries = type === 'timeseries';
  // Formats of the plugin: 0 is a time series, 1 a table.
  return {
    editorType: 'sql',
    queryType: isSeries ? 'timeseries' : 'table',
    format: isSeries ? 0 : 1,
    rawSql: sql,
  };
}
