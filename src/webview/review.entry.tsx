import { render } from 'preact';
import './review/review.css';
import { ReviewPage } from './review/page';

const root = document.getElementById('page');
if (root) new ReviewPage(root, (tree) => render(tree, root));
