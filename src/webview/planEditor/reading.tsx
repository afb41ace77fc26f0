import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { BlockView } from '../blockView';
import type { Field, PlanHeader } from '../protocol';
import type { PlanEditorWord } from './words';

/** A finished plan, rendered: what came of it first, then its sections without the empty ones. */
export function Reading(props: {
  word(key: PlanEditorWord): string;
  header: PlanHeader;
  fields: { field: Field; text: string }[];
}): JSX.Element {
  const { word, header } = props;
  const outcome = header.state === 'discarded' ? 'discardReason' : 'outcome';
  return (
    <>
      {header.outcome && <Text key={outcome} label={word(outcome)} text={header.outcome} highlight />}
      {props.fields
        .filter(({ text }) => text !== '')
        .map(({ field, text }) => (
          <Text key={field} label={word(field)} text={text} />
        ))}
    </>
  );
}

function Text(props: { label: string; text: string; highlight?: boolean }): JSX.Element {
  const body = useRef<HTMLDivElement>(null);
  const view = useRef<BlockView>(null);
  useEffect(() => {
    view.current ??= new BlockView(body.current as HTMLDivElement);
    view.current.show(props.text);
  }, [props.text]);
  return (
    <section class={props.highlight ? 'field read outcome' : 'field read'}>
      <h2>{props.label}</h2>
      <div ref={body} />
    </section>
  );
}
