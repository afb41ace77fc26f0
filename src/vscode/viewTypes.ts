/** What VS Code knows our editors, panels and files by; the first and the last stand in package.json, too. */

export const PLAN_EDITOR = 'nineplan.planEditor';

export const REVIEW_PANEL = 'nineplan.review';

/**
 * The language of plan files. It has them saved over what is on disk, which is safe here alone: whatever came to the
 * disk is merged into the text first.
 */
export const PLAN_LANGUAGE = 'nineplan';
