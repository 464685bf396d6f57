import { ExternalLink } from '../../ui/external-link.tsx';
import { Panel } from '../../ui/panel.tsx';

export function Page() {
  return (
    <>
      <h1>About</h1>
      <Panel title="Mintscope">
        <p>
          Self-hosted token intelligence for Solana. The dashboard shows what the public API
          answers, and nothing else: <a href="/docs/">the reference of the API</a>.
        </p>
      </Panel>
      <Panel title="Software in this page">
        <p>
          Charts: TradingView Lightweight Charts™. Copyright (c) 2025 TradingView, Inc.{' '}
          <ExternalLink url="https://www.tradingview.com/">tradingview.com</ExternalLink>, Apache
          License 2.0.
        </p>
        <p>Lines: uPlot, MIT License. Graphs: d3-force, ISC License. Page: Preact, MIT License.</p>
      </Panel>
    </>
  );
}
