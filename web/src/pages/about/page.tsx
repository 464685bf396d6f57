import { useEffect, useState } from 'preact/hooks';
import { ExternalLink } from '../../ui/external-link.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Panel } from '../../ui/panel.tsx';
import './about.css';
import { LIBRARIES, type Library } from './libraries.ts';

export function Page() {
  return (
    <>
      <h1>About</h1>
      <div class="columns">
        <Panel title="Mintscope">
          <p>
            Self-hosted token intelligence for Solana. The dashboard shows what the public API
            answers, and nothing else.
          </p>
          <dl class="pairs">
            <div>
              <dt>Version</dt>
              <dd>
                <Version />
              </dd>
            </div>
            <div>
              <dt>Licence</dt>
              <dd>Apache License 2.0</dd>
            </div>
            <div>
              <dt>API reference</dt>
              <dd>
                <a href="/docs/">/docs</a>
              </dd>
            </div>
            <div>
              <dt>OpenAPI document</dt>
              <dd>
                <a href="/openapi.json">/openapi.json</a>
              </dd>
            </div>
          </dl>
        </Panel>
        <Panel title="Keys and figures">
          <dl class="pairs">
            <div>
              <dt>
                <kbd>/</kbd>
              </dt>
              <dd>Search tokens, pools and wallets</dd>
            </div>
            <div>
              <dt>
                <kbd>↑</kbd> <kbd>↓</kbd> <kbd>Enter</kbd>
              </dt>
              <dd>Move in a table that has the focus, open the row</dd>
            </div>
            <div>
              <dt>$0.0₄428</dt>
              <dd>
                The subscript counts zeros after the point: 0.0000428. The exact value is on hover.
              </dd>
            </div>
            <div>
              <dt>–</dt>
              <dd>Not known; the reason is on hover</dd>
            </div>
            <div>
              <dt>Complete</dt>
              <dd>No known gap of the chain affects what is shown</dd>
            </div>
          </dl>
        </Panel>
      </div>
      <Panel title="Software in this page">
        <ul class="about-libraries">
          {LIBRARIES.map((library) => (
            <LibraryLine key={library.name} library={library} />
          ))}
        </ul>
      </Panel>
    </>
  );
}

function LibraryLine({
  library: { name, use, notice, licence, url },
}: {
  readonly library: Library;
}) {
  return (
    <li>
      <strong>{name}</strong> ({use}): {notice}, {licence}.{' '}
      <ExternalLink url={url}>{url}</ExternalLink>
    </li>
  );
}

/** As the service's own document says. */
function Version() {
  const [version, setVersion] = useState<string | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    void readVersion(ending.signal).then(setVersion);
    return () => ending.abort();
  }, []);
  if (version === null) return <Figure value={null} kind="amount" reason="Being read" />;
  return <>{version}</>;
}

async function readVersion(signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch('/openapi.json', { signal });
    const { info } = (await response.json()) as { readonly info?: { readonly version?: unknown } };
    return typeof info?.version === 'string' ? info.version : null;
  } catch {
    return null;
  }
}
