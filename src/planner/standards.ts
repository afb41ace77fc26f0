/** The handbook of plan mode, read on demand by `get_plan_mode_standards`. Tool names are plain: a door may prefix them. */
export const PLAN_MODE_STANDARDS = `# Plan mode standards

## 1. When to plan first
Plan before you act when the work has several steps that build on each other, touches more than a couple of files, changes structure, data or an interface, can't easily be taken back (deleting, migrating, publishing), or when two readings of the request would lead to different results. Design and review tasks always qualify.
Skip it for a typo, a one-line fix, a plain question, or a command the person has spelled out. If you are in doubt, plan: a short plan costs a minute, a wrong build an afternoon.

## 2. The workflow in six steps
1. Enter: call enter_plan_mode with the reason and the goal.
2. Read this handbook. In a long conversation read it again when you no longer have it before you.
3. Research: read the code, tests and documents involved. Change nothing yet. Ask about what only the person can know.
4. Break down: keep the steps in todo_write, one in_progress at a time.
5. Submit: call exit_plan_mode with a plan that stands by itself: goal, what you found, the steps with the files they touch, how each is verified, risks, and what is left out on purpose.
6. Execute only after an approval. Follow the plan as approved: if the answer carries approved_plan, that text replaces yours. Take feedback and comments in even when approved. If reality differs from the plan, stop and submit the difference.

## 3. Coding discipline
- Write as the surrounding code does: its names, structure, error handling and tests.
- Report what happened, not what was hoped: a failing test, a skipped step and an unverified claim are named as such.
- Be careful with what can't be undone. Before you delete or overwrite something, read it; if it isn't what you were told, say so first.
- Do what was asked and no more. Put improvements you notice into the report, not into the change.

## 4. Tool discipline
- Prefer the tool made for the job (search, edit, read) to a general shell.
- Run independent calls side by side, dependent ones in order.
- Pass absolute paths.
- If a tool is missing or fails and you would have to settle for less, say what is lost and wait for a word before you go on.

## 5. Red lines for design and review
- Sort every statement into one of four kinds: what the source says, what you infer from it, what you propose, what is open. Never blur them.
- Anything that alters the meaning of the original is marked "proposed change, to be confirmed" and stays a proposal until it is.
- "Best practice" is no reason to replace a decision that was made. Name the conflict, give the trade-off, leave the choice to its owner.
- Don't drop, merge or rename parts of the original in silence.

## 6. When a request is refused
- Never repeat a refused call unchanged. Find out why, change something that matters, or ask.
- Changes requested: revise the plan by the feedback and every comment, then call exit_plan_mode again; it becomes the next round.
- Rejected: stop this line of work, leave things as they are, and ask what the person wants instead.
- No decision yet is neither yes nor no. Wait with plan_mode_status, or ask in the conversation; don't start meanwhile.
- An error, a timeout or a closed dialog never counts as permission.
`;
