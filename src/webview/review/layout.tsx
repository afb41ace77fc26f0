import type { VNode } from 'preact';
import { DecisionBar } from './decisionBar';
import { chosenTodos, editedPlan, isWorthKeeping, spoken } from './draft';
import { EditBox } from './editBox';
import { Feedback } from './feedback';
import { Header } from './header';
import { History } from './history';
import { Outline, type OverviewEntry } from './outline';
import type { ReviewPage } from './page';
import { Passages, type Remarks } from './passages';
import type { DraftComment } from './protocol';
import { Question } from './question';
import { commentsOn, type Reading, rowOf } from './reading';
import { SelectionButton } from './selectionButton';
import { decidedBy } from './speech';
import { TodoList } from './todoList';
import { Verdict } from './verdict';

/** The page as it stands. */
export function drawReview(page: ReviewPage): VNode {
  const { word, shown, round, draft, post } = page;
  if (page.gone || !shown) return <p class="empty">{word(page.gone ? 'gone' : 'loading')}</p>;
  const { proposal } = shown;
  const reading = page.read();
  const remarks = remarksOn(page, reading);
  const commentable = page.isOpen && page.view !== 'yourChanges' && page.view !== 'edit';
  const comments = spoken(draft).length;
  const todos = round && page.isOpen ? chosenTodos(draft, round) : undefined;
  return (
    <>
      <Header
        word={word}
        proposal={proposal}
        round={round}
        views={page.views}
        view={page.view}
        choose={(view) => page.choose(view)}
        showRound={(number) => page.showRound(number)}
      />
      <div role="status">{notices(page)}</div>
      <p role="status" class="unseen">
        {round?.decision && decidedBy(word, round.decision, round.decidedBy, round.decidedAt)}
      </p>
      {round && <Verdict word={word} round={round} isLast={page.isLast} savedAs={shown.savedAs} post={post} />}
      {!round && <p class="empty">{word('noPlan')}</p>}
      {round && page.view === 'edit' && (
        <main>
          <EditBox
            key={page.generation}
            word={word}
            text={draft.edited ?? round.plan}
            changed={editedPlan(draft, round) !== null}
            typed={(text) => page.preparation.change({ edited: text })}
            revert={() => page.revert()}
          />
        </main>
      )}
      {round && page.view !== 'edit' && (
        <div class="columns">
          <Outline
            word={word}
            reading={reading}
            comments={overview(page, remarks)}
            reserved={commentable}
            go={(row) => page.places.go(row)}
            goComment={(entry) => page.places.goComment(entry)}
          />
          <main>
            {page.view === 'changes' && page.previous?.feedback && (
              <div class="comment sent">
                <div class="commentHead">{word('lastFeedback')}</div>
                <Feedback text={page.previous.feedback} />
              </div>
            )}
            {commentable && <p class="muted hint">{word('hint')}</p>}
            <section aria-labelledby="reading-title" key={page.generation}>
              <h2 id="reading-title" class="unseen">
                {word(page.view)}
              </h2>
              <Passages
                word={word}
                reading={reading}
                remarks={remarks}
                actions={page}
                collapse={page.view !== 'plan'}
                opened={page.places.opened}
                open={(from) => page.places.openGap(from)}
                comment={commentable ? (row) => page.commentHere(row) : undefined}
              />
            </section>
            <TodoList
              word={word}
              todos={round.todos}
              queued={round.queuedTodos}
              chosen={todos && new Set(todos)}
              choose={(index, chosen) =>
                page.preparation.change({
                  todos: chosen ? [...(todos ?? []), index] : (todos ?? []).filter((one) => one !== index),
                })
              }
            />
          </main>
        </div>
      )}
      <History word={word} others={shown.others} current={proposal.id} post={post} />
      {page.isOpen && round && (
        <DecisionBar
          key={`feedback${page.generation}`}
          word={word}
          feedback={draft.feedback}
          comments={comments}
          chosenTodos={todos?.length ?? 0}
          busy={page.busy || page.freshness.isFresh}
          typed={(feedback) => page.preparation.change({ feedback })}
          decide={(decision, queue) => page.decide(decision, queue)}
        />
      )}
      {commentable && (
        <SelectionButton word={word} comment={(selected) => page.comment(selected.from, selected.to, selected.text)} />
      )}
      {page.question && (
        <Question
          word={word}
          decision={page.question.decision}
          comments={comments}
          answer={(answer) => page.answer(answer)}
        />
      )}
    </>
  );
}

function notices(page: ReviewPage): VNode {
  const { word, shown, notice, post, draft } = page;
  const { undo } = page.preparation;
  const proposal = shown?.proposal;
  const hasDraft = isWorthKeeping(draft);
  const settled = proposal !== undefined && proposal.status !== 'submitted';
  return (
    <>
      {notice && (
        <div class={`notice ${notice.severity}`}>
          <p dir="auto">{notice.text}</p>
        </div>
      )}
      {undo && (
        <div class="notice info">
          <p>{word(undo.what)}</p>
          <button type="button" onClick={() => page.restore()}>
            {word('undo')}
          </button>
        </div>
      )}
      {shown && !shown.mayDecide && proposal?.status === 'submitted' && (
        <div class="notice warning">
          <p>{word('restricted')}</p>
        </div>
      )}
      {proposal?.supersededBy && (
        <div class="notice warning">
          <p>{word('superseding')}</p>
          {hasDraft && (
            <button type="button" class="main" onClick={() => post({ type: 'act', action: 'takeDraftAlong' })}>
              {word('openNewerWithDraft')}
            </button>
          )}
          <button
            type="button"
            onClick={() => post({ type: 'openProposal', proposal: proposal.supersededBy as string })}
          >
            {word('openNewer')}
          </button>
        </div>
      )}
      {settled && hasDraft && (
        <div class="notice warning">
          <p>{word('leftOver')}</p>
          <button type="button" onClick={() => post({ type: 'act', action: 'copyDraft' })}>
            {word('copyDraft')}
          </button>
          <button type="button" onClick={() => post({ type: 'act', action: 'dropDraft' })}>
            {word('dropDraft')}
          </button>
        </div>
      )}
    </>
  );
}

function remarksOn(page: ReviewPage, reading: Reading): Remarks {
  const { round, previous, view, draft } = page;
  const drafts = new Map<number, DraftComment[]>();
  for (const comment of page.isLast && view !== 'yourChanges' ? draft.comments : []) {
    const row = rowOf(reading, comment);
    drafts.set(row, [...(drafts.get(row) ?? []), comment]);
  }
  return {
    drafts,
    sent:
      round && view !== 'yourChanges'
        ? commentsOn(reading, view === 'plan' ? reading.text : round.plan, round.comments)
        : new Map(),
    last: previous && view === 'changes' ? commentsOn(reading, previous.plan, previous.comments) : new Map(),
  };
}

/** Every comment, in reading order. */
function overview({ word }: ReviewPage, { drafts, sent, last }: Remarks): OverviewEntry[] {
  const entries: OverviewEntry[] = [];
  for (const [row, list] of last) {
    list.forEach(({ quote, comment }, index) => {
      entries.push({ key: `last${row}.${index}`, row, quote, comment, heading: word('lastRound') });
    });
  }
  for (const [row, list] of sent) {
    list.forEach(({ quote, comment }, index) => {
      entries.push({ key: `sent${row}.${index}`, row, quote, comment, heading: word('sentComment') });
    });
  }
  for (const [row, list] of drafts) {
    for (const { id, quote, comment } of list) {
      entries.push({ key: id, row, quote, comment, heading: word('yourComment') });
    }
  }
  return entries.sort((a, b) => a.row - b.row);
}
