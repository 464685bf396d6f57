import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { webUrl } from '../format/texts.ts';
import { ChainText } from './chain-text.tsx';
import { Dialog } from './dialog.tsx';
import { ExternalIcon } from './icons.tsx';

/**
 * A link out of the dashboard, after a warning that names the whole address. Text that is no address
 * of the web is shown as text. `children` is the label; the host by default.
 */
export function ExternalLink({
  url,
  children,
}: {
  readonly url: string;
  readonly children?: ComponentChildren;
}) {
  const [isAsking, setAsking] = useState(false);
  const parsed = webUrl(url);
  if (parsed === null) return <ChainText text={url} />;
  return (
    <>
      <button type="button" class="link-button" onClick={() => setAsking(true)}>
        {children ?? parsed.host} <ExternalIcon />
      </button>
      {isAsking && (
        <Dialog title="Leave the dashboard?" onClose={() => setAsking(false)}>
          <p>
            This address comes from others and was not checked. Its site will see that you open it.
          </p>
          <p class="url">
            <ChainText text={parsed.href} lengthMax={400} />
          </p>
          <p class="dialog-actions">
            <a
              class="button"
              href={parsed.href}
              target="_blank"
              rel="noreferrer noopener nofollow"
              onClick={() => setAsking(false)}
            >
              Open in a new tab
            </a>
          </p>
        </Dialog>
      )}
    </>
  );
}
