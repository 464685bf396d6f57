export interface Library {
  readonly name: string;
  readonly use: string;
  readonly notice: string;
  readonly licence: string;
  readonly url: string;
}

/** Libraries whose code is part of the page. The test compares them with the packages. */
export const LIBRARIES: readonly Library[] = [
  {
    name: 'TradingView Lightweight Charts™',
    use: 'candles, with fancy-canvas under the MIT License and tslib under the BSD Zero Clause License',
    notice: 'Copyright (c) 2026 TradingView, Inc.',
    licence: 'Apache License 2.0',
    url: 'https://www.tradingview.com/',
  },
  {
    name: 'uPlot',
    use: 'lines',
    notice: 'Copyright (c) 2022 Leon Sorokin',
    licence: 'MIT License',
    url: 'https://github.com/leeoniya/uPlot',
  },
  {
    name: 'd3-force',
    use: 'graphs, with d3-dispatch, d3-quadtree and d3-timer under the same licence',
    notice: 'Copyright 2010-2026 Mike Bostock',
    licence: 'ISC License',
    url: 'https://d3js.org/d3-force',
  },
  {
    name: 'Preact',
    use: 'pages',
    notice: 'Copyright (c) 2015-present Jason Miller',
    licence: 'MIT License',
    url: 'https://preactjs.com/',
  },
  {
    name: 'Preact Signals',
    use: 'pages',
    notice: 'Copyright (c) 2022-present Preact Team',
    licence: 'MIT License',
    url: 'https://github.com/preactjs/signals',
  },
];
