import { useState } from 'preact/hooks';
import { formatCount } from '../../format/numbers.ts';
import { formatTime } from '../../format/times.ts';
import { endSession } from '../../state/session.ts';
import { useRead } from '../../state/use-read.ts';
import { Badge } from '../../ui/badge.tsx';
import { ChainText } from '../../ui/chain-text.tsx';
import { Button } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';

const READ_EVERY_MS = 10_000;

/** The key behind the session of this browser: what it may do, its limits and what is left. */
export function KeyPanel() {
  const read = useRead('/v1/key', {}, { everyMs: READ_EVERY_MS });
  const [isAsking, setAsking] = useState(false);
  return (
    <Panel title="Your key" actions={<Button onClick={() => setAsking(true)}>Log out</Button>}>
      <ReadView read={read}>
        {({ key_id, account, name, scopes, expires_at, limits, remaining }) => (
          <dl class="pairs">
            <div>
              <dt>Account</dt>
              <dd>
                <ChainText text={account} />
              </dd>
            </div>
            <div>
              <dt>Key</dt>
              <dd>
                <span class="address">{key_id}</span>
                {name !== '' && (
                  <>
                    {' '}
                    (<ChainText text={name} />)
                  </>
                )}
              </dd>
            </div>
            <div>
              <dt>May</dt>
              <dd class="operations-scopes">
                {scopes.map((scope) => (
                  <Badge key={scope}>{scope}</Badge>
                ))}
              </dd>
            </div>
            <div>
              <dt>Expires</dt>
              <dd>{expires_at === null ? 'Never' : formatTime(expires_at)}</dd>
            </div>
            <div>
              <dt>Requests left now</dt>
              <dd>
                {formatCount(remaining.requests)} of {formatCount(limits.burst)}, whole again in{' '}
                {formatCount(remaining.reset_seconds)} s; {formatCount(limits.requests_per_minute)}{' '}
                per minute
              </dd>
            </div>
            <div>
              <dt>Pictures</dt>
              <dd>
                {formatCount(limits.pictures_per_minute)} per minute,{' '}
                {formatCount(limits.picture_burst)} at once, apart from requests
              </dd>
            </div>
            <div>
              <dt>Streams left</dt>
              <dd>
                {formatCount(remaining.open_streams)} of {formatCount(limits.open_streams)}
              </dd>
            </div>
          </dl>
        )}
      </ReadView>
      {isAsking && (
        <Dialog title="Log out?" onClose={() => setAsking(false)}>
          <p>The session of this browser ends. The key itself stays valid.</p>
          <p class="dialog-actions">
            <Button kind="danger" onClick={() => void endSession()}>
              Log out
            </Button>
          </p>
        </Dialog>
      )}
    </Panel>
  );
}
