import type { ComponentChildren, JSX } from 'preact';
import { diffLines } from '../../planner/lineDiff';

/** Two texts side by side; the lines that only one of them has are marked. */
export function Versions(props: {
  left: { title: string; text: string };
  right: { title: string; text: string };
  empty: string;
}): JSX.Element {
  const [left, right] = [props.left.text.split('\n'), props.right.text.split('\n')];
  const hunks = diffLines(left, right);
  const onlyLeft = marks(hunks.map(({ oldStart, oldEnd }) => [oldStart, oldEnd]));
  const onlyRight = marks(hunks.map(({ newStart, newEnd }) => [newStart, newEnd]));
  return (
    <div class="versions">
      <Version title={props.left.title}>{lines(props.left.text ? left : [], onlyLeft, props.empty)}</Version>
      <Version title={props.right.title}>{lines(props.right.text ? right : [], onlyRight, props.empty)}</Version>
    </div>
  );
}

function Version(props: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <figure class="version">
      <figcaption>{props.title}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre tabIndex={0} dir="auto">
        {props.children}
      </pre>
    </figure>
  );
}

function marks(ranges: [number, number][]): Set<number> {
  return new Set(ranges.flatMap(([start, end]) => Array.from({ length: end - start }, (_, i) => start + i)));
}

function lines(texts: string[], marked: Set<number>, empty: string): ComponentChildren {
  if (texts.length === 0) return <span class="muted">{empty}</span>;
  return texts.map((text, index) => (marked.has(index) ? <mark>{`${text}\n`}</mark> : <span>{`${text}\n`}</span>));
}
