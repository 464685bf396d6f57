import { useState } from 'preact/hooks';
import { enterKey } from '../state/session.ts';
import { Button, TextField } from './controls.tsx';
import { Panel } from './panel.tsx';

/** Asks for an API key and begins a session with it. The key is kept nowhere in the page. */
export function KeyForm() {
  const [key, setKey] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const submit = async () => {
    setSending(true);
    const refusal = await enterKey(key);
    setSending(false);
    setError(refusal);
    if (refusal === null) setKey('');
  };
  return (
    <div class="entry">
      <Panel title="Enter an API key">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <TextField
            label="API key"
            type="password"
            autocomplete="current-password"
            value={key}
            onChange={setKey}
            error={error}
            hint="It was printed at the first start. This browser keeps a session of it for 12 hours."
          />
          <Button kind="primary" type="submit" isDisabled={isSending || key === ''}>
            Open
          </Button>
        </form>
      </Panel>
    </div>
  );
}
