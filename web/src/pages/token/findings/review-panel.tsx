import { useState } from 'preact/hooks';
import { isFailure, send } from '../../../api/client.ts';
import { nameOf } from '../../../format/names.ts';
import { formatTime } from '../../../format/times.ts';
import { scopes } from '../../../state/session.ts';
import { ChainText } from '../../../ui/chain-text.tsx';
import { Button, TextField } from '../../../ui/controls.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { FindingDetail } from '../token-types.ts';

type Status = FindingDetail['status'];

/** The reviews that may follow a status; the API refuses others. */
const NEXT: Readonly<Record<Status, readonly Exclude<Status, 'active'>[]>> = {
  active: ['reviewed', 'archived'],
  reviewed: ['confirmed', 'false_positive', 'archived'],
  confirmed: ['archived'],
  false_positive: ['archived'],
  archived: [],
};

const ACTIONS: Readonly<Record<Exclude<Status, 'active'>, string>> = {
  reviewed: 'Mark as reviewed',
  confirmed: 'Confirm',
  false_positive: 'Reject as false positive',
  archived: 'Archive',
};

/** What people said of a finding, and what the key may say. */
export function ReviewPanel({
  detail,
  onReviewed,
}: {
  readonly detail: FindingDetail;
  readonly onReviewed: () => void;
}) {
  const { review, status } = detail;
  const mayReview = scopes.value.includes('review:write') || scopes.value.includes('admin');
  return (
    <>
      {review.length === 0 ? (
        <p>Nobody has reviewed this finding.</p>
      ) : (
        <ol class="reviews">
          {review.map(({ from, to, account_id, note, at }) => (
            <li key={at}>
              {formatTime(at)}: {nameOf(from).toLowerCase()} → <strong>{nameOf(to)}</strong> by{' '}
              <ChainText text={account_id} />
              {note !== null && (
                <>
                  {': '}
                  <ChainText text={note} lengthMax={1_000} />
                </>
              )}
            </li>
          ))}
        </ol>
      )}
      {mayReview && NEXT[status].length > 0 && (
        <ReviewForm id={detail.id} choices={NEXT[status]} onReviewed={onReviewed} />
      )}
      {!mayReview && <p class="token-note">This key may not review: it has no scope for it.</p>}
    </>
  );
}

function ReviewForm({
  id,
  choices,
  onReviewed,
}: {
  readonly id: string;
  readonly choices: readonly Exclude<Status, 'active'>[];
  readonly onReviewed: () => void;
}) {
  const [note, setNote] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const review = async (status: string) => {
    setSending(true);
    const body = note.trim() === '' ? { status } : { status, note: note.trim() };
    const answer = await send('POST', `/v1/fraud/classifications/${id}/review`, body);
    setSending(false);
    setProblem(isFailure(answer) ? answer.message : null);
    if (isFailure(answer)) return;
    setNote('');
    onReviewed();
  };
  return (
    <>
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      <TextField label="Note (optional)" value={note} onChange={setNote} />
      <div class="review-actions">
        {choices.map((choice) => (
          <Button
            key={choice}
            kind={choice === 'confirmed' ? 'primary' : 'plain'}
            isDisabled={isSending}
            onClick={() => void review(choice)}
          >
            {ACTIONS[choice]}
          </Button>
        ))}
      </div>
    </>
  );
}
