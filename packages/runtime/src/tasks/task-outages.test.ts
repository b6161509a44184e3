import { describeTaskOutages } from '../../test/conformance/task-outages.js';

describeTaskOutages('in memory');
