import { requestPolicy } from '../../nodes/VideoHosting/transport/request';

// Retried requests of the behaviour tests need not wait as long as a real service may need to recover.
requestPolicy.firstPauseMs = 5;
