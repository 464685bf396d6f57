import type { ComponentChildren } from 'preact';
import { isFailure } from '../api/client.ts';
import type { Read } from '../state/use-read.ts';
import { Notice } from './notice.tsx';
import { Failed, Loading } from './states.tsx';

/**
 * What a read shows: lines in its place while it loads, the reason of a failure, otherwise
 * `children` of its body. If a later read fails, the older body stays with a notice.
 */
export function ReadView<Body>({
  read,
  rows = 4,
  children,
}: {
  readonly read: Read<Body>;
  readonly rows?: number;
  readonly children: (body: Body) => ComponentChildren;
}) {
  const { answer, body, reload } = read;
  const failure = answer !== null && isFailure(answer) ? answer : null;
  if (body === null) {
    return failure === null ? (
      <Loading rows={rows} />
    ) : (
      <Failed failure={failure} onRetry={reload} />
    );
  }
  return (
    <>
      {failure !== null && (
        <Notice tone="warning">This is older: it could not be read again. {failure.message}</Notice>
      )}
      {children(body)}
    </>
  );
}
