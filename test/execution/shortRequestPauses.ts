import { pollPolicy, requestPolicy } from '../../nodes/VideoHosting/shared/retryPolicy';

// Retried requests of the behaviour tests need not wait as long as a real service may need to recover.
requestPolicy.errorPause.firstMs = 5;
requestPolicy.rateLimitMs = 3_000;
pollPolicy.emptyListPauseMs = 5;
