import { CreateKeptAnswers1763800000000 } from '../../database/migrations/1763800000000-create-kept-answers.js';
import { WeighKeptAnswers1763891100000 } from '../../database/migrations/1763891100000-weigh-kept-answers.js';
import { KeptAnswerEntity } from './kept-answer.entity.js';

export const entities = [KeptAnswerEntity];
export const migrations = [CreateKeptAnswers1763800000000, WeighKeptAnswers1763891100000];
