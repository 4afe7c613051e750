// Command campaign runs one of the random tests for as many inputs as it is asked for.
//
//	go run ./bench/campaign -kind threads -count 1000 -seed 5000
//	go run ./bench/campaign -list
//
// The suite looks at a small fixed sample of each kind (package sample); a campaign asks the same test, with the same
// generator and the same oracle, for more; where the suite takes a part of a table, a campaign takes all of
// it, whatever -count is. What a test needs besides Go (gcc, cbmc, mist, ltscompare) it says itself.
package main
