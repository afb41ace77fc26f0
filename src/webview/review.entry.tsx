import { render } from 'preact';
import './review/review.css';
import { drawReview } from './review/layout';
import { ReviewPage } from './review/page';

const root = document.getElementById('page');
if (root) new ReviewPage(root, (page) => render(drawReview(page), root));
