// Package sample says how much of a test is done: of many random inputs, or of a long
// table of cases, the suite looks at a fixed small sample, which is smaller still with
// -short. A campaign (bench/campaign) asks the same test for as many inputs as it likes,
// from a seed of its own.
//
// Only tests import it.
package sample
