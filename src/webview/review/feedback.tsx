import type { JSX } from 'preact';

/** What was said about the whole plan. Changes of the text that were suggested with it stand at its end, as a diff. */
export function Feedback({ text }: { text: string }): JSX.Element {
  const start = text.search(DIFF);
  const [said, diff] = start < 0 ? [text, ''] : [text.slice(0, start), text.slice(start)];
  return (
    <>
      <p dir="auto" class="commentText">
        {said.trimEnd()}
      </p>
      {diff !== '' && (
        <pre class="diff">
          <code>{diff}</code>
        </pre>
      )}
    </>
  );
}

const DIFF = /^@@ -\d+,\d+ \+\d+,\d+ @@$/m;
