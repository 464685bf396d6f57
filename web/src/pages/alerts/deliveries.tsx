import { useState } from 'preact/hooks';
import { isFailure, send } from '../../api/client.ts';
import { formatCount } from '../../format/numbers.ts';
import { formatAge, formatTime } from '../../format/times.ts';
import { nowMs } from '../../state/clock.ts';
import { useRead } from '../../state/use-read.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import type { Delivery } from './alert-types.ts';

const READ_EVERY_MS = 3_000;

const TONES: Readonly<Record<Delivery['state'], Tone>> = {
  delivered: 'good',
  pending: 'neutral',
  failed: 'bad',
  cancelled: 'neutral',
  dropped: 'bad',
};

/** Deliveries of a webhook with every attempt; each can be sent again. */
export function Deliveries({
  webhookId,
  mayWrite,
}: {
  readonly webhookId: string;
  readonly mayWrite: boolean;
}) {
  const [page, setPage] = useState(1);
  const [opened, setOpened] = useState<Delivery | null>(null);
  const [error, setError] = useState<string | null>(null);
  const read = useRead(
    '/v1/webhooks/{id}/deliveries',
    { id: webhookId, page, per_page: 50 },
    { everyMs: READ_EVERY_MS },
  );
  const redeliver = async ({ id }: Delivery) => {
    const url = `/v1/webhooks/${encodeURIComponent(webhookId)}/deliveries/${encodeURIComponent(id)}`;
    const answer = await send<Delivery>('POST', `${url}/redeliver`);
    setError(isFailure(answer) ? answer.message : null);
    read.reload();
  };
  return (
    <Panel title="Deliveries" isFlush>
      {error !== null && <Notice tone="bad">{error}</Notice>}
      <ReadView read={read}>
        {({ deliveries, pages, total }) => (
          <>
            <Table
              caption="Deliveries"
              columns={columnsOf(mayWrite, setOpened, (one) => void redeliver(one))}
              rows={deliveries}
              keyOf={({ id }) => id}
              visibleRows={10}
              empty="Nothing has been sent yet."
            />
            {pages > 1 && (
              <p class="more">
                <Button isDisabled={page <= 1} onClick={() => setPage(page - 1)}>
                  Newer
                </Button>{' '}
                Page {page} of {pages}, {formatCount(total)} deliveries{' '}
                <Button isDisabled={page >= pages} onClick={() => setPage(page + 1)}>
                  Older
                </Button>
              </p>
            )}
          </>
        )}
      </ReadView>
      {opened !== null && <Attempts delivery={opened} onClose={() => setOpened(null)} />}
    </Panel>
  );
}

function columnsOf(
  mayWrite: boolean,
  onOpen: (delivery: Delivery) => void,
  onRedeliver: (delivery: Delivery) => void,
): readonly Column<Delivery>[] {
  return [
    {
      key: 'age',
      title: 'Age',
      cell: ({ created_at: at }) => (
        <span title={formatTime(at)}>{formatAge(at, nowMs.value)}</span>
      ),
    },
    { key: 'type', title: 'Event', cell: ({ type }) => type },
    {
      key: 'state',
      title: 'State',
      cell: ({ state }) => <Badge tone={TONES[state]}>{state}</Badge>,
    },
    {
      key: 'next',
      title: 'Next attempt',
      isWideOnly: true,
      cell: ({ next_attempt_at: at }) => (at === null ? '' : formatTime(at)),
    },
    {
      key: 'attempts',
      title: 'Attempts',
      align: 'end',
      cell: (one) => (
        <button type="button" class="link-button" onClick={() => onOpen(one)}>
          {formatCount(one.attempt_count)}
          {one.attempt_count > 0 && `, last ${resultOf(one.attempts[0])}`}
        </button>
      ),
    },
    {
      key: 'actions',
      title: '',
      align: 'end',
      cell: (one) => mayWrite && <Button onClick={() => onRedeliver(one)}>Redeliver</Button>,
    },
  ];
}

function resultOf(attempt: Delivery['attempts'][number] | undefined): string {
  return String(attempt?.status ?? attempt?.error ?? 'not known');
}

function Attempts({
  delivery,
  onClose,
}: {
  readonly delivery: Delivery;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={`Attempts: ${delivery.type}`} onClose={onClose}>
      <p class="address">{delivery.id}</p>
      {delivery.attempts.length === 0 && <p class="muted">It has not been tried yet.</p>}
      <ul class="attempts">
        {delivery.attempts.map((attempt) => (
          <li key={attempt.at}>
            {formatTime(attempt.at)}: {resultOf(attempt)}, {formatCount(attempt.duration_ms)} ms
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
