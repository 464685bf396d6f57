import { useRef, useState } from 'preact/hooks';
import { isFailure, send } from '../../api/client.ts';
import { Button, TextArea } from '../../ui/controls.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ProblemList } from './problem-list.tsx';
import type { ChangedRule } from './rule-types.ts';

/** Publishes a rule that is pasted; what is wrong with it is listed with line and column. */
export function RuleForm({ onDone }: { readonly onDone: () => void }) {
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [published, setPublished] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const submit = async () => {
    setSending(true);
    setPublished(null);
    const answer = await send<ChangedRule>('POST', '/v1/rules', { rule: text });
    setSending(false);
    setRefusal(isFailure(answer) ? answer.message : null);
    if (isFailure(answer)) return;
    setPublished(answer.ok.rule_id);
    setText('');
    onDone();
  };
  return (
    <Panel title="Publish a rule">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {published !== null && (
          <Notice tone="good" onDismiss={() => setPublished(null)}>
            <span class="address">{published}</span> is published. It is judged from the next slot
            on, and never on what was before.
          </Notice>
        )}
        <TextArea
          label="Rule (YAML or JSON)"
          value={text}
          onChange={setText}
          area={area}
          isRefused={refusal !== null}
          hint="A rule of the same name needs a higher version. How rules are written: Documentation, Rules of one's own."
        />
        {refusal !== null && <ProblemList message={refusal} text={text} area={area} />}
        <p class="form-actions">
          <Button kind="primary" type="submit" isDisabled={isSending || text.trim() === ''}>
            Publish
          </Button>
        </p>
      </form>
    </Panel>
  );
}
